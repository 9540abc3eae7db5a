/** Telegram's light and dark theme: their colours and sizes, with common fonts. A colour is for both: see `light-dark()`. */
export const BOTCHAT_STYLE = `
* { box-sizing: border-box; margin: 0; padding: 0; }
:root { color-scheme: light dark; }
:host, body { background: light-dark(#dbe6cf, #0e1621); color: light-dark(#000, #f5f5f5); font: 16px/1.3125 Roboto, -apple-system, "Segoe UI", "Helvetica Neue", Arial,
  "Noto Sans", sans-serif, "Noto Color Emoji"; -webkit-font-smoothing: antialiased; }
main { max-width: 520px; min-height: 100vh; margin: 0 auto; background: linear-gradient(160deg,
  light-dark(#d7e3b4, #0e1621), light-dark(#a5cfae, #0e1621) 45%, light-dark(#88b884, #0e1621) 75%, light-dark(#d3dfaa, #0e1621)); }
main > header { display: flex; align-items: center; gap: 12px; background: light-dark(#fff, #17212b); padding: 8px 16px;
  border-bottom: 1px solid light-dark(rgba(0, 0, 0, 0.08), #101921); line-height: 1.25; }
header b { font-weight: 500; }
.kind { color: light-dark(#707579, #8593a2); font-size: 14px; }
.avatar { flex: none; width: 34px; height: 34px; border-radius: 50%; background: linear-gradient(#72b5f0, #4a8ed8);
  color: #fff; font-size: 17px; line-height: 34px; text-align: center; }
header .avatar { width: 42px; height: 42px; line-height: 42px; }
.chat { padding: 8px 12px 16px; }
.day { text-align: center; margin: 8px 0; }
.day span { display: inline-block; background: light-dark(rgba(74, 124, 72, 0.55), #1e2c3a); border-radius: 14px; color: #fff;
  font-size: 15px; font-weight: 500; line-height: 1.4; padding: 2px 10px; }
.message { display: flex; align-items: flex-end; gap: 8px; margin-top: 6px; max-width: 480px; }
.bubble { position: relative; min-width: 0; background: light-dark(#fff, #182533); border-radius: 15px 15px 15px 6px;
  box-shadow: 0 1px 2px light-dark(rgba(114, 114, 114, 0.25), rgba(0, 0, 0, 0.25)); padding: 5px 8px 6px 9px; }
.name { color: light-dark(#3a8ee6, #6ab2f2); font-size: 14px; font-weight: 500; }
.text { white-space: pre-wrap; overflow-wrap: anywhere; }
.text::after { content: ""; display: inline-block; width: 44px; }
.bubble > time { position: absolute; right: 8px; bottom: 6px; color: light-dark(#686c72, #8a9bac); font-size: 12px; line-height: 1; }
b { font-weight: 600; }
a, .link { color: light-dark(#3390ec, #6ab2f2); text-decoration: none; }
code { background: light-dark(rgba(0, 0, 0, 0.06), rgba(255, 255, 255, 0.08)); border-radius: 4px; color: light-dark(#2b6a2f, #a5d6a7); padding: 0 2px;
  font: 14px/1.3 "SF Mono", Menlo, "Roboto Mono", "DejaVu Sans Mono", monospace, "Noto Color Emoji"; }
.code { background: light-dark(rgba(51, 144, 236, 0.08), rgba(106, 178, 242, 0.12)); border-left: 3px solid light-dark(#3390ec, #6ab2f2); border-radius: 4px; margin: 2px 0; }
.language { display: block; background: light-dark(rgba(51, 144, 236, 0.1), rgba(106, 178, 242, 0.16)); color: light-dark(#3390ec, #6ab2f2); font-size: 14px; font-weight: 500;
  padding: 1px 8px; }
pre { padding: 4px 8px; font: 14px/1.35 "SF Mono", Menlo, "Roboto Mono", "DejaVu Sans Mono", monospace,
  "Noto Color Emoji"; white-space: pre-wrap; overflow-wrap: anywhere; }
blockquote { position: relative; background: light-dark(rgba(51, 144, 236, 0.08), rgba(106, 178, 242, 0.12)); border-left: 3px solid light-dark(#3390ec, #6ab2f2);
  border-radius: 4px; font-size: 15px; margin: 2px 0; padding: 2px 24px 3px 8px; }
blockquote::before { content: "❞"; position: absolute; right: 7px; top: 0; color: light-dark(#3390ec, #6ab2f2); }
.expandable { max-height: 72px; overflow: hidden; }
.expandable::after { content: "⌄"; position: absolute; right: 8px; bottom: 2px; color: light-dark(#3390ec, #6ab2f2); }
.spoiler { background: light-dark(#b6bbc0, #4a5a6a); border-radius: 3px; color: transparent; }
`;
