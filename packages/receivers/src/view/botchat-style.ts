/** Telegram's light theme: its colours and sizes, with common fonts. */
export const BOTCHAT_STYLE = `
* { box-sizing: border-box; margin: 0; padding: 0; }
:host, body { background: #dbe6cf; color: #000; font: 16px/1.3125 Roboto, -apple-system, "Segoe UI", "Helvetica Neue", Arial,
  "Noto Sans", sans-serif, "Noto Color Emoji"; -webkit-font-smoothing: antialiased; }
main { max-width: 520px; min-height: 100vh; margin: 0 auto; background: linear-gradient(160deg, #d7e3b4, #a5cfae 45%,
  #88b884 75%, #d3dfaa); }
main > header { display: flex; align-items: center; gap: 12px; background: #fff; padding: 8px 16px;
  border-bottom: 1px solid rgba(0, 0, 0, 0.08); line-height: 1.25; }
header b { font-weight: 500; }
.kind { color: #707579; font-size: 14px; }
.avatar { flex: none; width: 34px; height: 34px; border-radius: 50%; background: linear-gradient(#72b5f0, #4a8ed8);
  color: #fff; font-size: 17px; line-height: 34px; text-align: center; }
header .avatar { width: 42px; height: 42px; line-height: 42px; }
.chat { padding: 8px 12px 16px; }
.day { text-align: center; margin: 8px 0; }
.day span { display: inline-block; background: rgba(74, 124, 72, 0.55); border-radius: 14px; color: #fff;
  font-size: 15px; font-weight: 500; line-height: 1.4; padding: 2px 10px; }
.message { display: flex; align-items: flex-end; gap: 8px; margin-top: 6px; max-width: 480px; }
.bubble { position: relative; min-width: 0; background: #fff; border-radius: 15px 15px 15px 6px;
  box-shadow: 0 1px 2px rgba(114, 114, 114, 0.25); padding: 5px 8px 6px 9px; }
.name { color: #3a8ee6; font-size: 14px; font-weight: 500; }
.text { white-space: pre-wrap; overflow-wrap: anywhere; }
.text::after { content: ""; display: inline-block; width: 44px; }
.bubble > time { position: absolute; right: 8px; bottom: 6px; color: #686c72; font-size: 12px; line-height: 1; }
b { font-weight: 600; }
a, .link { color: #3390ec; text-decoration: none; }
code { background: rgba(0, 0, 0, 0.06); border-radius: 4px; color: #2b6a2f; padding: 0 2px;
  font: 14px/1.3 "SF Mono", Menlo, "Roboto Mono", "DejaVu Sans Mono", monospace, "Noto Color Emoji"; }
.code { background: rgba(51, 144, 236, 0.08); border-left: 3px solid #3390ec; border-radius: 4px; margin: 2px 0; }
.language { display: block; background: rgba(51, 144, 236, 0.1); color: #3390ec; font-size: 14px; font-weight: 500;
  padding: 1px 8px; }
pre { padding: 4px 8px; font: 14px/1.35 "SF Mono", Menlo, "Roboto Mono", "DejaVu Sans Mono", monospace,
  "Noto Color Emoji"; white-space: pre-wrap; overflow-wrap: anywhere; }
blockquote { position: relative; background: rgba(51, 144, 236, 0.08); border-left: 3px solid #3390ec;
  border-radius: 4px; font-size: 15px; margin: 2px 0; padding: 2px 24px 3px 8px; }
blockquote::before { content: "❞"; position: absolute; right: 7px; top: 0; color: #3390ec; }
.expandable { max-height: 72px; overflow: hidden; }
.expandable::after { content: "⌄"; position: absolute; right: 8px; bottom: 2px; color: #3390ec; }
.spoiler { background: #b6bbc0; border-radius: 3px; color: transparent; }
`;
