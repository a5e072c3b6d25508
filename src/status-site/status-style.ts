import { grounds } from '#core/status-pages/page-colours.ts'

const dark = `  --page:${grounds.dark.page};--card:${grounds.dark.card};--edge:#2a3038;--text:#eceff2;--soft:#a2abb5;--link:#7db2ff;
  --good:#2fbf77;--near:#a9bf3f;--warning:#e6a82b;--bad:#f06464;--maintenance:#6aa6f8;--plain:#78828d;--none:#333b44;
  --good-text:#5fd99b;--warning-text:#f0c05a;--bad-text:#ff9090;--maintenance-text:#92bfff;--plain-text:#a2abb5;
  --good-back:#12291d;--warning-back:#2e2511;--bad-back:#331a1b;--maintenance-back:#15253d;--plain-back:#20252b;color-scheme:dark
`

/** The one style of all status pages. Colours have 4.5:1 on what they stand on where they are text, else 3:1. */
export const statusStyle = `:root{
  --page:${grounds.light.page};--card:${grounds.light.card};--edge:#e3e6ea;--text:#16191d;--soft:#565d66;--link:#1558c0;
  --good:#16a05a;--near:#9aa51c;--warning:#d9920a;--bad:#d93838;--maintenance:#2f72d6;--plain:#8a929c;--none:#d9dde2;
  --good-text:#0d6b3b;--warning-text:#855700;--bad-text:#b02525;--maintenance-text:#1c4f9c;--plain-text:#565d66;
  --good-back:#e7f6ed;--warning-back:#fdf3dc;--bad-back:#fdeaea;--maintenance-back:#e6effc;--plain-back:#eef0f3;color-scheme:light
}
@media (prefers-color-scheme:dark){:root:not([data-theme=light]){
${dark}}}
:root[data-theme=dark]{
${dark}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;
  -webkit-text-size-adjust:100%;overflow-wrap:anywhere}
header,main,aside,footer{max-width:832px;margin:0 auto;padding:0 16px}
header{display:flex;gap:8px 24px;align-items:flex-start;padding-top:48px;padding-bottom:24px}
header div{flex:1;min-width:0}
.logo{flex:none;width:auto;height:auto;max-width:200px;max-height:56px;object-fit:contain}
h1,h2,h3,h4,p,ul,ol,dl,dd{margin:0;padding:0}
h1{font-size:28px;line-height:1.25;letter-spacing:-.01em}
h1 a{color:inherit;text-decoration:none}
h1 a:hover{text-decoration:underline}
header p{margin-top:6px;color:var(--soft)}
h2{font-size:18px;line-height:1.35;margin:40px 0 12px}
h3{font-size:16px;line-height:1.4;font-weight:600}
h4{font-size:16px;line-height:1.4;font-weight:600}
ul,ol{list-style:none}
a{color:var(--link)}
a:focus-visible,summary:focus-visible,button:focus-visible,input:focus-visible{outline:3px solid var(--link);outline-offset:2px;border-radius:4px}
.go{flex:none;padding:8px 16px;border:1px solid var(--edge);border-radius:8px;background:var(--card);color:var(--text);font-size:15px;text-decoration:none}
.go:hover{border-color:var(--soft)}
.st{display:flex;gap:16px;align-items:center;padding:20px 24px;border-radius:12px}
.st h2{margin:0;font-size:21px}
.st p{font-size:14px}
.k{flex:none;width:32px;height:32px}
.k path{fill:none;stroke:var(--card);stroke-width:3.5;stroke-linecap:round;stroke-linejoin:round}
.good .k circle{fill:var(--good)}.warning .k circle{fill:var(--warning)}.bad .k circle{fill:var(--bad)}.maintenance .k circle{fill:var(--maintenance)}.plain .k circle{fill:var(--plain)}
.st.good{background:var(--good-back);color:var(--good-text)}
.st.warning{background:var(--warning-back);color:var(--warning-text)}
.st.bad{background:var(--bad-back);color:var(--bad-text)}
.st.maintenance{background:var(--maintenance-back);color:var(--maintenance-text)}
.st.plain{background:var(--plain-back);color:var(--plain-text)}
.c{background:var(--card);border:1px solid var(--edge);border-radius:12px}
.c>*{padding:18px 20px}
.c>*+*{border-top:1px solid var(--edge)}
.vh+.c{margin-top:24px}
.m .h{display:flex;gap:4px 16px;align-items:baseline;justify-content:space-between}
.m h3{min-width:0}
.s{flex:none;font-size:14px;font-weight:600}
.s::before{content:"";display:inline-block;width:8px;height:8px;margin-right:8px;border-radius:50%;background:currentColor;vertical-align:1px}
.s.good{color:var(--good-text)}.s.warning{color:var(--warning-text)}.s.bad{color:var(--bad-text)}.s.maintenance{color:var(--maintenance-text)}.s.plain{color:var(--plain-text)}
.w{font-size:14px;color:var(--bad-text)}
.b{display:block;width:100%;height:34px;margin-top:12px}
.b path{fill:none;stroke:var(--good);stroke-width:34;stroke-dasharray:3 1}
.b .o{stroke:var(--near);stroke-width:16;transform:translateY(-9px)}
.b .p{stroke:var(--warning);stroke-width:24;transform:translateY(-5px)}
.b .d{stroke:var(--bad);stroke-width:30;transform:translateY(-2px)}
.b .g{stroke:var(--warning);stroke-width:18;transform:translateY(8px)}
.b .n{stroke:var(--none);stroke-width:8;transform:translateY(13px)}
.b .w{stroke:var(--none);stroke-width:2;stroke-dasharray:none;transform:translateY(16px)}
.b path:hover{opacity:.72}
.a{display:flex;gap:4px 16px;justify-content:space-between;margin-top:6px;font-size:13px;color:var(--soft)}
.a>:nth-child(2){flex:1;text-align:center}
.a>span{white-space:nowrap}
summary{cursor:pointer;white-space:nowrap}
.a details p{margin-top:4px}
.a ul{line-height:1.6}
.r{display:flex;gap:16px;align-items:center;margin-top:12px;font-size:13px;color:var(--soft)}
.r svg{flex:1;min-width:0;height:28px}
.r path{fill:var(--link);fill-opacity:.1;stroke:var(--link);stroke-width:1.5;vector-effect:non-scaling-stroke;stroke-linejoin:round}
.r p{flex:none;min-width:208px;text-align:right;font-variant-numeric:tabular-nums}
.r p:only-child{text-align:left}
ul.g{display:grid;grid-template-columns:repeat(auto-fill,minmax(220px,1fr));gap:12px;background:none;border:0}
.g>.m{padding:14px 16px;border:1px solid var(--edge);border-radius:12px;background:var(--card)}
.g h3{font-size:15px}
.g .s{font-size:13px}
.g .p{display:flex;flex-wrap:wrap;gap:0 12px;align-items:baseline;justify-content:space-between}
.g .u{margin-top:4px;font-size:13px;color:var(--soft)}
.g .u p{margin-top:4px}
.g .b{height:16px;margin-top:8px}
.bl{margin-top:8px;font-size:13px;color:var(--soft)}
.i{border-left:4px solid var(--plain)}
.i.bad{border-left-color:var(--bad)}.i.maintenance{border-left-color:var(--maintenance)}.i.good{border-left-color:var(--good)}
.i.c>*{padding:16px 20px}
.t{font-size:14px;color:var(--soft)}
.o{display:grid;gap:12px}
.o li>p{margin-top:2px}
.o ul,.o ol{padding-left:20px;list-style:disc}
.o ol{list-style:decimal}
.y{margin:20px 0 8px;font-size:14px;font-weight:600;color:var(--soft)}
.i+.i{margin-top:12px}
.none{color:var(--soft)}
.f{display:flex;flex-wrap:wrap;gap:8px;margin-top:12px}
.f input{flex:1 1 220px;min-width:0;padding:9px 12px;border:1px solid var(--plain);border-radius:8px;background:var(--page);color:inherit;font:inherit}
.f button{padding:9px 18px;border:0;border-radius:8px;background:var(--text);color:var(--page);font:inherit;font-weight:600;cursor:pointer}
.l{display:flex;flex-wrap:wrap;gap:4px 20px;margin-top:12px;font-size:14px}
nav{display:flex;justify-content:space-between;gap:16px;margin-top:24px}
footer{margin-top:48px;padding-bottom:48px;font-size:13px;color:var(--soft)}
nav.lg{margin-top:0;margin-bottom:16px}
.lg ul{display:flex;flex-wrap:wrap;gap:4px 16px}
.lg a{display:inline-block;padding:3px 0;min-width:24px;min-height:24px}
.lg a[aria-current]{color:var(--text);font-weight:600;text-decoration:none}
.door .lg{margin-top:32px;font-size:13px}
footer p{display:flex;flex-wrap:wrap;justify-content:space-between;gap:4px 16px}
.vh{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.door{max-width:480px;padding-top:15vh}
.door h1{margin-bottom:8px}
.e main{padding:12px;max-width:none}
.e .st{padding:12px 16px}
.e h1{font-size:16px}
.e .k{width:22px;height:22px}
.e ul{margin-top:8px}
.e li{display:flex;justify-content:space-between;gap:16px;padding:4px 16px;font-size:14px}
body.e{background:var(--card)}
@media (max-width:560px){
  ul.g{grid-template-columns:repeat(auto-fill,minmax(150px,1fr));gap:8px}
  .c.g>*{padding:10px 12px}
  .g .p{display:block}
  header{flex-wrap:wrap;padding-top:28px;padding-bottom:16px}
  header div{flex-basis:55%}
  h1{font-size:24px}
  .st{padding:16px}
  .c>*{padding:16px}
  .a{flex-wrap:wrap}
  .a details[open]{order:1;flex:1 1 100%}
  .r{flex-wrap:wrap;gap:2px}
  .r svg{flex:1 1 100%}
  .r p{min-width:0;width:100%;text-align:left}
}
@media print{body{background:#fff}.go,form,nav{display:none}.b path{print-color-adjust:exact}}
`

/** The rules that give a page its accent, as it is on light and on dark. They come after those of all pages. */
export function accentRules(light: string, onDark: string): string {
  return `:root{--link:${light}}
@media (prefers-color-scheme:dark){:root:not([data-theme=light]){--link:${onDark}}}
:root[data-theme=dark]{--link:${onDark}}
body:not(.e){border-top:4px solid var(--link)}
.f button{background:var(--link)}
`
}
