/** The light theme of Teams: its colours and sizes, with common fonts. */
export const MSTEAMS_STYLE = `
* { box-sizing: border-box; margin: 0; padding: 0; }
:host, body { background: #f5f5f5; color: #242424; font: 14px/20px "Segoe UI", -apple-system, Roboto, "Helvetica Neue",
  Arial, "Noto Sans", sans-serif, "Noto Color Emoji"; -webkit-font-smoothing: antialiased; }
main { max-width: 640px; min-height: 100vh; margin: 0 auto; }
main > header { background: #fff; border-bottom: 1px solid #e0e0e0; font-size: 18px; font-weight: 600; padding: 12px 20px; }
.day { color: #616161; font-size: 12px; margin: 12px 0 4px; text-align: center; }
.message { display: flex; gap: 12px; padding: 8px 20px; }
.avatar { background: #5b5fc7; border-radius: 50%; flex: none; height: 32px; line-height: 32px; text-align: center; width: 32px; }
.column { flex: 1; min-width: 0; }
.who { align-items: baseline; display: flex; gap: 8px; margin-bottom: 4px; }
.name { font-weight: 600; }
time { color: #616161; font-size: 12px; }
.card { background: #fff; border: 1px solid #e0e0e0; border-radius: 6px; box-shadow: 0 1px 2px rgba(0, 0, 0, 0.1);
  padding: 12px 16px; }
.card + .card { margin-top: 8px; }
.line { margin-top: 4px; overflow-wrap: anywhere; white-space: pre-wrap; }
.line:first-child { margin-top: 0; }
.line > b:only-child { font-size: 16px; line-height: 22px; }
.other { color: #616161; font-style: italic; }
b { font-weight: 600; }
a { color: #4f52b2; }
.actions { display: flex; flex-wrap: wrap; gap: 8px; margin-top: 12px; }
.action { border: 1px solid #d1d1d1; border-radius: 4px; color: #242424; font-weight: 600; padding: 5px 12px; text-decoration: none; }
`;
