/** The light and dark theme of Teams: their colours and sizes, with common fonts. A colour is for both: see `light-dark()`. */
export const MSTEAMS_STYLE = `
* { box-sizing: border-box; margin: 0; padding: 0; }
:root { color-scheme: light dark; }
:host, body { background: light-dark(#f5f5f5, #1f1f1f); color: light-dark(#242424, #fff); font: 14px/20px "Segoe UI", -apple-system, Roboto, "Helvetica Neue",
  Arial, "Noto Sans", sans-serif, "Noto Color Emoji"; -webkit-font-smoothing: antialiased; }
main { max-width: 640px; min-height: 100vh; margin: 0 auto; }
main > header { background: light-dark(#fff, #292929); border-bottom: 1px solid light-dark(#e0e0e0, #3d3d3d); font-size: 18px; font-weight: 600; padding: 12px 20px; }
.day { color: light-dark(#616161, #adadad); font-size: 12px; margin: 12px 0 4px; text-align: center; }
.message { display: flex; gap: 12px; padding: 8px 20px; }
.avatar { background: #5b5fc7; border-radius: 50%; flex: none; height: 32px; line-height: 32px; text-align: center; width: 32px; }
.column { flex: 1; min-width: 0; }
.who { align-items: baseline; display: flex; gap: 8px; margin-bottom: 4px; }
.name { font-weight: 600; }
time { color: light-dark(#616161, #adadad); font-size: 12px; }
.card { background: light-dark(#fff, #292929); border: 1px solid light-dark(#e0e0e0, #3d3d3d); border-radius: 6px; box-shadow: 0 1px 2px rgba(0, 0, 0, 0.1);
  padding: 12px 16px; }
.card + .card { margin-top: 8px; }
.line { margin-top: 4px; overflow-wrap: anywhere; white-space: pre-wrap; }
.line:first-child { margin-top: 0; }
.line > b:only-child { font-size: 16px; line-height: 22px; }
.other { color: light-dark(#616161, #adadad); font-style: italic; }
b { font-weight: 600; }
a { color: light-dark(#4f52b2, #9299f7); }
.actions { display: flex; flex-wrap: wrap; gap: 8px; margin-top: 12px; }
.action { border: 1px solid light-dark(#d1d1d1, #666); border-radius: 4px; color: inherit; font-weight: 600; padding: 5px 12px; text-decoration: none; }
`;
