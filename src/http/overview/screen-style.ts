/** Seconds after which what is shown is no longer taken for the present. A reading comes every 15. */
export const staleSeconds = 50

const dark = `--page:#0b0e11;--text:#eceff2;--soft:#a9b2bc;
  --up:#12291d;--up-text:#6fdda4;--down:#c22f2f;--down-text:#fff;--degraded:#4a3708;--degraded-text:#ffd166;
  --unknown:#3a2b52;--unknown-text:#d9c4ff;--pending:#1b2026;--pending-text:#b4bdc7;--old:#1b2026;--old-text:#a9b2bc;color-scheme:dark`
const light = `--page:#eef0f2;--text:#16191d;--soft:#505862;
  --up:#d7eee1;--up-text:#0a5730;--down:#b92525;--down-text:#fff;--degraded:#fbe5b0;--degraded-text:#5f3f00;
  --unknown:#e3d8f5;--unknown-text:#4a2b80;--pending:#dde1e5;--pending-text:#4a525c;--old:#dde1e5;--old-text:#505862;color-scheme:light`

/**
 * Tiles fill the window, and letters grow with them. After `staleSeconds` without another reading everything turns grey
 * and says so: the style does it, so that it happens without a script, and whatever became of one. The animation has
 * no end, since what has happened stays.
 */
export const screenStyle = `:root{${dark}}
:root[data-look=light]{${light}}
@media (prefers-color-scheme:light){:root[data-look=auto]{${light}}}
*{box-sizing:border-box;margin:0;padding:0}
body{background:var(--page);color:var(--text);font:600 16px/1.15 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;overflow-wrap:anywhere}
main{display:flex;flex-direction:column;gap:1.4vmin;height:100vh;padding:1.6vmin}
header{display:flex;gap:1vmin 4vmin;align-items:baseline;justify-content:space-between}
h1{font-size:8vmin;line-height:1.05;letter-spacing:-.02em;animation:faded 1s ${staleSeconds}s infinite}
header p{font-size:3.4vmin;font-weight:500;color:var(--soft)}
.head{display:flex;flex-wrap:wrap;gap:0 3vmin;align-items:baseline;min-width:0}
.now{flex:none;font-variant-numeric:tabular-nums}
.stale{position:fixed;right:0;bottom:0;left:0;padding:.3em;background:#ffd166;color:#1a1400;font-size:max(6vmin,22px);text-align:center;
  visibility:hidden;animation:shown 1s ${staleSeconds}s infinite}
.fresh{animation:hidden 1s ${staleSeconds}s infinite}
ul{--columns:var(--wide-columns);--rows:var(--wide-rows);display:grid;flex:1;gap:1vmin;min-height:0;list-style:none;
  grid-template-columns:repeat(var(--columns),minmax(0,1fr));grid-template-rows:repeat(var(--rows),minmax(0,1fr));
  font-size:min(calc(11.5vw/var(--columns)),calc(20vh/var(--rows)),15vmin)}
li{display:flex;flex-direction:column;gap:.15em;justify-content:center;min-width:0;overflow:hidden;padding:.2em .6em;border-radius:.35em;
  background:var(--ground);color:var(--ink);animation:old 1s ${staleSeconds}s infinite}
li span{display:-webkit-box;overflow:hidden;-webkit-box-orient:vertical;-webkit-line-clamp:2}
li.long span{font-size:.72em;-webkit-line-clamp:3}
li b{display:flex;gap:.4em;align-items:center;font-size:.7em;font-weight:600}
svg{display:block;flex:none;width:1.15em;height:1.15em;fill:none;stroke:currentColor;stroke-width:3.2;stroke-linecap:round;stroke-linejoin:round}
.up{--ground:var(--up);--ink:var(--up-text)}
.down{--ground:var(--down);--ink:var(--down-text)}
.degraded{--ground:var(--degraded);--ink:var(--degraded-text)}
.unknown{--ground:var(--unknown);--ink:var(--unknown-text)}
.pending,.paused{--ground:var(--pending);--ink:var(--pending-text)}
.all{flex:1;align-items:center;justify-content:center}
.all header{flex-direction:column;gap:4vmin;align-items:center;text-align:center}
.all .head{flex-direction:column;gap:3vmin;align-items:center}
.all h1{font-size:min(15vmin,11vw)}
.all.up:not(.old) h1,.all.up:not(.old) .mark{color:var(--up-text)}
.mark{font-size:22vmin;animation:faded 1s ${staleSeconds}s infinite}
.vh{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
@keyframes shown{from,to{visibility:visible}}
@keyframes hidden{from,to{visibility:hidden}}
@keyframes old{from,to{background:var(--old);color:var(--old-text)}}
@keyframes faded{from,to{color:var(--soft)}}
main.old .stale{visibility:visible}
main.old .fresh{visibility:hidden}
main.old li{background:var(--old);color:var(--old-text)}
main.old h1,main.old .mark{color:var(--soft)}
@media (orientation:portrait){
  ul{--columns:var(--tall-columns);--rows:var(--tall-rows)}
  header{flex-wrap:wrap}
}
@media (max-width:640px){
  main{height:auto;min-height:100vh;gap:12px;padding:12px}
  main.all{justify-content:center}
  h1{font-size:32px}
  header p{font-size:16px}
  ul{flex:none;gap:8px;grid-template-columns:repeat(auto-fill,minmax(150px,1fr));grid-template-rows:none;grid-auto-rows:minmax(72px,auto);font-size:18px}
  li b{font-size:14px}
}
@media (prefers-contrast:more){li{outline:2px solid currentColor;outline-offset:-2px}}
${gridRules()}`

/** Which grid a list has stands in its classes: the policy takes no style in the page. */
function gridRules(): string {
  const columns = Array.from({ length: 12 }, (_, index) => index + 1)
  const rows = Array.from({ length: 24 }, (_, index) => index + 1)
  return [
    ...columns.map((count) => `.c${count}{--wide-columns:${count}}.p${count}{--tall-columns:${count}}`),
    ...rows.map((count) => `.r${count}{--wide-rows:${count}}.q${count}{--tall-rows:${count}}`),
  ].join('\n')
}
