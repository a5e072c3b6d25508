/** Operations, for pages that bring a frame of their own with the same colours. */
export const operationStyle = `.operation{margin:20px 0;padding:20px;background:var(--surface);border:1px solid var(--line);border-radius:12px}
.operation:target{border-color:var(--accent)}
.address{overflow-wrap:anywhere}
.method{display:inline-block;font:600 11px/1.6 ui-monospace,Consolas,monospace;color:var(--muted)}
.method.get{color:var(--accent)}.method.post{color:var(--good)}.method.put,.method.patch{color:var(--warn)}.method.delete{color:var(--bad)}
.quiet{color:var(--muted);font-size:12.5px}`

/** Light and dark as the reader likes it. */
export const referenceStyle = `:root{color-scheme:light dark;--ground:light-dark(#fafafb,#0f1115);--surface:light-dark(#fff,#16191f);--sunken:light-dark(#f1f2f5,#1d2129);--line:light-dark(#e3e5ea,#2a2f38);--text:light-dark(#171a21,#eceef2);--muted:light-dark(#595f6b,#a2a9b6);--accent:light-dark(#2f4dc6,#9db1ff);--good:light-dark(#12734a,#5fd39b);--warn:light-dark(#8a5300,#f0b95a);--bad:light-dark(#b3261e,#ff9d94)}
*{box-sizing:border-box}
html{scroll-padding-top:16px}
body{margin:0;overflow-wrap:break-word;display:grid;grid-template-columns:300px minmax(0,1fr);background:var(--ground);color:var(--text);font:15px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
a{color:var(--accent)}
a:focus-visible,pre:focus-visible,summary:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.skip{position:absolute;left:-999px}.skip:focus{left:8px;top:8px;z-index:1;background:var(--surface);padding:8px}
nav{position:sticky;top:0;height:100vh;overflow:auto;border-right:1px solid var(--line);padding:20px 16px;font-size:13.5px;background:var(--surface)}
nav h2{font-size:12px;margin:20px 0 6px;color:var(--muted)}
nav ul{list-style:none;margin:0;padding:0}nav li a{display:grid;grid-template-columns:4.4em 1fr;padding:3px 4px;color:inherit;text-decoration:none;border-radius:4px}nav li a:hover{background:var(--sunken)}nav li a.plain{display:block}
main{padding:32px clamp(16px,4vw,56px) 96px;max-width:980px;outline:none}
h1{font-size:28px;line-height:1.2;margin:0 0 12px}
main h2{font-size:21px;margin:48px 0 8px;padding-top:24px;border-top:1px solid var(--line)}
h3{font-size:17px;margin:0 0 6px}h3 a{color:inherit;text-decoration:none}h3 a:hover{text-decoration:underline}
h4{font-size:13.5px;margin:20px 0 6px}
p{margin:0 0 10px}
code{font:13px/1.5 ui-monospace,SFMono-Regular,Consolas,monospace;overflow-wrap:anywhere}
p code,td code{background:var(--sunken);padding:1px 4px;border-radius:4px}
pre{margin:0 0 10px;padding:14px;overflow:auto;background:var(--sunken);border-radius:8px;max-height:480px}
table{width:100%;border-collapse:collapse;margin:0 0 10px;font-size:13.5px}
th,td{text-align:left;vertical-align:top;padding:6px 10px 6px 0;border-bottom:1px solid var(--line)}
th{font-weight:600;color:var(--muted)}
td{overflow-wrap:anywhere}td:first-child{width:28%}td:nth-child(2){width:24%}
${operationStyle}
summary{cursor:pointer;padding:4px 0;color:var(--accent)}
@media (max-width:820px){body{display:block}nav{position:static;height:auto;max-height:40vh;border-right:0;border-bottom:1px solid var(--line)}.operation{padding:14px}}
@media print{nav{display:none}body{display:block}}`
