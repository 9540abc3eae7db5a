/** Slack's light and dark theme: their colours and sizes, with common fonts. A colour is for both: see `light-dark()`. */
export const TEAMCHAT_STYLE = `
* { box-sizing: border-box; margin: 0; padding: 0; }
:root { color-scheme: light dark; }
:host, body { background: light-dark(#fff, #1a1d21); color: light-dark(#1d1c1d, #d1d2d3); font: 15px/1.46668 Lato, "Slack-Lato", -apple-system, "Segoe UI", Roboto,
  "Helvetica Neue", Arial, "Noto Sans", sans-serif, "Noto Color Emoji"; -webkit-font-smoothing: antialiased; }
main { max-width: 760px; margin: 0 auto; padding-bottom: 20px; }
main > header { font-size: 18px; font-weight: 900; padding: 12px 20px; border-bottom: 1px solid light-dark(#ddd, #424244); }
.hash { color: light-dark(#616061, #ababad); font-weight: 400; }
.day { display: flex; align-items: center; justify-content: center; margin: 12px 20px 6px; position: relative; }
.day::before { content: ""; position: absolute; left: 0; right: 0; border-top: 1px solid light-dark(#ddd, #424244); }
.day span { position: relative; background: light-dark(#fff, #1a1d21); border: 1px solid light-dark(#ddd, #424244); border-radius: 24px; padding: 0 16px;
  font-size: 13px; font-weight: 700; line-height: 27px; }
.message { display: flex; gap: 8px; padding: 8px 20px; }
.avatar { flex: none; width: 36px; height: 36px; border-radius: 8px; background: #2b2d5b; font-size: 20px;
  line-height: 36px; text-align: center; }
.column { min-width: 0; flex: 1; }
.who { display: flex; align-items: baseline; gap: 6px; line-height: 1.46668; }
.name { font-weight: 900; }
.badge { background: light-dark(rgba(29, 28, 29, 0.13), #393b3f); border-radius: 2px; color: light-dark(#616061, #ababad); font-size: 10px; font-weight: 700;
  line-height: 1.4; padding: 1px 3px; align-self: center; }
.who time, .edited { color: light-dark(#616061, #ababad); font-size: 12px; }
.text, .small, .header, .field, .button { white-space: pre-wrap; overflow-wrap: anywhere; }
.gone { color: light-dark(#616061, #ababad); font-style: italic; }
.blocks > * { margin: 4px 0; }
.blocks > .header { font-size: 18px; line-height: 1.33334; font-weight: 900; margin: 8px 0 4px; }
.section { display: flex; gap: 16px; }
.body { flex: 1; min-width: 0; }
.fields { display: grid; grid-template-columns: 1fr 1fr; gap: 4px 12px; margin-top: 4px; max-width: 560px; }
.context { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 8px; color: light-dark(#616061, #ababad); font-size: 13px;
  line-height: 1.38463; }
.picture { display: inline-block; background: light-dark(#f0f0f0, #2c2f33); border-radius: 4px; color: light-dark(#616061, #ababad); font-size: 12px;
  padding: 0 4px; }
.image b { display: block; }
.actions { display: flex; flex-wrap: wrap; gap: 8px; }
.button { display: inline-block; border: 1px solid light-dark(rgba(29, 28, 29, 0.3), #797c81); border-radius: 4px; font-size: 13px;
  font-weight: 700; line-height: 26px; padding: 0 12px; }
hr { border: 0; border-top: 1px solid light-dark(#ddd, #424244); margin: 8px 0; }
b { font-weight: 700; }
a { color: light-dark(#1264a3, #4fb0e4); text-decoration: none; }
time[title] { border-bottom: 0; }
code { background: light-dark(rgba(29, 28, 29, 0.04), #232529); border: 1px solid light-dark(rgba(29, 28, 29, 0.13), #46484c); border-radius: 3px; color: light-dark(#c01343, #e8912d);
  font: 12px/1.50001 Menlo, Consolas, "DejaVu Sans Mono", monospace, "Noto Color Emoji"; padding: 2px 3px 1px; }
pre { background: light-dark(rgba(29, 28, 29, 0.04), #232529); border: 1px solid light-dark(rgba(29, 28, 29, 0.13), #46484c); border-radius: 4px; margin: 4px 0;
  padding: 8px; font: 12px/1.50001 Menlo, Consolas, "DejaVu Sans Mono", monospace, "Noto Color Emoji";
  white-space: pre-wrap; overflow-wrap: anywhere; }
blockquote { position: relative; margin: 4px 0; padding-left: 16px; }
blockquote::before { content: ""; position: absolute; left: 0; top: 0; bottom: 0; width: 4px; border-radius: 8px;
  background: light-dark(#ddd, #424244); }
ul, ol { padding-left: 28px; }
.mention { background: rgba(29, 155, 209, 0.1); border-radius: 3px; color: light-dark(#1264a3, #4fb0e4); padding: 0 2px 1px; }
.everyone { background: light-dark(rgba(242, 199, 68, 0.4), #4c4223); color: light-dark(#1264a3, #4fb0e4); }
.unknown { color: light-dark(#616061, #ababad); }
.attachment { border-left: 4px solid light-dark(#ddd, #424244); border-radius: 4px; margin-top: 4px; padding-left: 12px; }
.thread { border-left: 2px solid light-dark(#e8e8e8, #35373b); margin-top: 6px; padding-left: 4px; }
.thread .message { padding: 6px 8px; }
.count { color: light-dark(#1264a3, #4fb0e4); font-size: 13px; font-weight: 700; padding-left: 8px; }
.thread .avatar { width: 24px; height: 24px; border-radius: 6px; font-size: 14px; line-height: 24px; }
@media (max-width: 480px) { .fields { grid-template-columns: 1fr 1fr; } .message { padding: 8px 12px; } }
`;
