#include "exports/report_style.h"

#include <string_view>

namespace vf {

std::string_view report_style() {
  return R"css(
:root{color-scheme:dark;--bg:#0e0d0c;--raise:#171513;--line:#2c2824;--text:#e9e3d8;--soft:#a79d8f;--faint:#756c61;
--accent:#e0a458;--rock:#8a6f56;--air:#5f8fa3;--work:#e0a458;--waste:#b4553f;
--serif:"Iowan Old Style","Palatino Linotype",Palatino,"Book Antiqua",Georgia,"DejaVu Serif",serif;
--sans:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue","DejaVu Sans",sans-serif;
--mono:ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace}
*{box-sizing:border-box}
html{scroll-behavior:smooth;-webkit-text-size-adjust:100%}
body{margin:0;background:var(--bg);color:var(--text);font:16px/1.6 var(--sans)}
a{color:inherit}
img{display:block;max-width:100%;height:auto}
h1,h2,h3{font-family:var(--serif);font-weight:500;line-height:1.12;margin:0;letter-spacing:-.01em;text-wrap:balance}
h3{font:600 .74rem/1.3 var(--sans);letter-spacing:.14em;text-transform:uppercase;color:var(--soft);margin:0 0 .8rem}
code{font-family:var(--mono);font-size:.86em}

.hero{position:relative;min-height:min(78vh,52rem);display:flex;align-items:flex-end;overflow:hidden;background:#000}
.hero>img{position:absolute;inset:0;width:100%;height:100%;object-fit:cover}
.hero::after{content:"";position:absolute;inset:0;background:linear-gradient(180deg,#0e0d0c55 0,#0e0d0c00 26%,
#0e0d0c00 50%,#0e0d0cb8 84%,var(--bg) 100%)}
.hero-text{position:relative;z-index:1;width:100%;max-width:92rem;margin:0 auto;padding:3rem clamp(1.1rem,4vw,4rem) 2.2rem;
text-shadow:0 1px 18px #000b}
.brand{font:600 .74rem/1 var(--sans);letter-spacing:.22em;text-transform:uppercase;color:var(--accent);margin:0 0 1rem}
h1{font-size:clamp(2.7rem,8vw,6.2rem)}
.lede{margin:1rem 0 0;font-size:clamp(1rem,1.5vw,1.2rem);color:#efe9deee;max-width:50rem;text-wrap:pretty}

.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(9.5rem,1fr));max-width:92rem;margin:0 auto;
padding:1.2rem clamp(1.1rem,4vw,4rem) 2.6rem;gap:1.6rem 2rem}
.figures dt{font-size:.8rem;color:var(--soft);line-height:1.35}
.figures dd{margin:0 0 .15rem;font:500 1.9rem/1.1 var(--serif);font-variant-numeric:lining-nums}
.figures dd small{font-size:.55em;color:var(--soft)}
.figures div{display:flex;flex-direction:column-reverse;justify-content:flex-end;border-top:1px solid var(--line);padding-top:.9rem}

.page{display:grid;grid-template-columns:minmax(13rem,17rem) minmax(0,1fr);gap:clamp(1.5rem,4vw,4.5rem);max-width:92rem;
margin:0 auto;padding:0 clamp(1.1rem,4vw,4rem) 4rem}
.stack{position:sticky;top:1.4rem;align-self:start;max-height:calc(100vh - 2.8rem);display:flex;flex-direction:column}
.column{display:flex;flex-direction:column;min-height:0;border-radius:10px;overflow:hidden;border:1px solid var(--line)}
.layer{position:relative;display:block;flex:0 1 calc(var(--h)*1.5px);min-height:3.1rem;overflow:hidden;
text-decoration:none;color:#f1ebe0;background:#1b1815;border-bottom:1px solid #000}
.layer img{position:absolute;inset:0;width:100%;height:100%;object-fit:cover;opacity:.86;transition:opacity .2s,transform .4s}
.layer:hover img,.layer:focus-visible img{opacity:1;transform:scale(1.04)}
.layer span{position:absolute;left:0;right:0;bottom:0;padding:1.1rem .75rem .4rem;font-size:.82rem;line-height:1.2;
background:linear-gradient(180deg,#0000,#000b);display:flex;justify-content:space-between;gap:.6rem;align-items:baseline}
.layer em{font-style:normal;color:#d9cfbfb5;font-size:.72rem;white-space:nowrap;font-variant-numeric:tabular-nums}
.column.again{margin:.6rem 0 0;border-style:dashed;padding:.5rem .75rem;font-size:.78rem;color:var(--soft)}

article{padding:0 0 4.5rem;scroll-margin-top:1.5rem}
article+article{border-top:1px solid var(--line);padding-top:3.6rem}
.head{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:.4rem 2rem;align-items:end;margin-bottom:1.5rem}
.kicker{font-size:.82rem;color:var(--accent);margin:0 0 .5rem;font-variant-numeric:tabular-nums}
h2{font-size:clamp(2rem,4vw,3.2rem)}
.about{color:var(--soft);max-width:42rem;margin:.9rem 0 0}
.swatches{display:flex;border-radius:8px;overflow:hidden;height:2.4rem;min-width:9rem;border:1px solid #0006}
.swatches i{flex:1;min-width:1.2rem}
.gallery{display:grid;grid-template-columns:repeat(6,minmax(0,1fr));gap:.9rem}
figure{margin:0}
.gallery figure{grid-column:span 3}
.gallery figure:first-child,.gallery figure:last-child:nth-child(even){grid-column:1/-1}
figure a{display:block;cursor:zoom-in}
figure img{border-radius:8px;background:#000;width:100%}
figcaption{font-size:.84rem;color:var(--soft);padding:.5rem .1rem 0;line-height:1.45}
figcaption b{color:var(--text);font-weight:600}
figure .close{display:none}
figure:target{position:fixed;inset:0;z-index:9;background:#060505f5;display:flex;flex-direction:column;align-items:center;
justify-content:center;padding:2vmin;scroll-margin:0}
figure:target img{width:auto;max-width:100%;max-height:calc(100vh - 6rem);border-radius:0}
figure:target .zoom{pointer-events:none}
figure:target .close{display:block;position:absolute;inset:0;cursor:zoom-out;text-indent:-99em;overflow:hidden}
.maps{display:grid;grid-template-columns:minmax(0,22rem) minmax(0,1fr);gap:1.6rem;margin:2.4rem 0 0;align-items:start}
.maps .facts{grid-row:1;grid-column:2}
.maps .wide{grid-column:1/-1}
.facts dl{display:grid;grid-template-columns:auto 1fr;gap:.1rem 1.2rem;margin:0;font-size:.92rem}
.facts dt{color:var(--soft)}
.facts dd{margin:0;overflow-wrap:anywhere;font-variant-numeric:tabular-nums}
section.block{margin:2.4rem 0 0}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.9rem;line-height:1.45}
th{font-weight:500;color:var(--soft);text-align:left;font-size:.8rem;vertical-align:bottom}
th,td{padding:.5rem 1rem .5rem 0;border-bottom:1px solid var(--line);vertical-align:top}
th:last-child,td:last-child{padding-right:0}
.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
td .dim,.dim{color:var(--faint)}
td:first-child{white-space:nowrap}
td.name{font-family:var(--mono);font-size:.84em}
.set{color:var(--accent)}
.bar{display:flex;height:.62rem;min-width:9rem;border-radius:4px;overflow:hidden;background:#000;margin-top:.42rem}
.profile{border:1px solid var(--line);border-radius:8px;background:#15120f}
svg.route{display:block;width:100%;min-width:44rem;height:auto;font:11px var(--sans);fill:var(--soft)}
.route .rk{fill:#5b4a3b}.route .band{fill:#8a6f5622}
.route .fl{fill:none;stroke-width:3;stroke-linejoin:round;stroke-linecap:round}
.route .flat{stroke:#9fb7a0}.route .easy{stroke:#e0c158}.route .steep{stroke:#e08a45}.route .over{stroke:#ff3b30}
.route .mk{stroke:var(--soft);stroke-dasharray:2 4;opacity:.6}.route .tk{stroke:var(--faint)}
.legend i.flat{background:#9fb7a0}.legend i.easy{background:#e0c158}.legend i.steep{background:#e08a45}
.bar i{display:block}
.rock{background:var(--rock)}.air{background:var(--air)}.work{background:var(--work)}.waste{background:var(--waste)}
.legend{font-size:.8rem;color:var(--soft);margin:.7rem 0 0;display:flex;flex-wrap:wrap;gap:.3rem 1.2rem}
.legend i{display:inline-block;width:.7em;height:.7em;border-radius:2px;margin-right:.45em}
.track{position:relative;height:.5rem;min-width:7rem;border-radius:4px;background:var(--line);margin-top:.5rem}
.track i{position:absolute;top:-.16rem;width:.82rem;height:.82rem;margin-left:-.41rem;border-radius:50%;background:var(--accent);
box-shadow:0 0 0 3px var(--bg)}
.notes{margin:0;padding:0 0 0 1.1rem;color:var(--soft);font-size:.9rem}
.made{background:var(--raise);border-top:1px solid var(--line)}
.made>div{max-width:92rem;margin:0 auto;padding:3rem clamp(1.1rem,4vw,4rem) 3.5rem}
pre{background:#000;border:1px solid var(--line);border-radius:8px;padding:1rem 1.2rem;overflow-x:auto;font:.86rem/1.5 var(--mono);
margin:0 0 1rem;white-space:pre-wrap;overflow-wrap:anywhere}
.fine{color:var(--soft);font-size:.88rem;max-width:52rem}

@media (max-width:860px){
.page{grid-template-columns:minmax(0,1fr)}
.stack{position:static;max-height:none}
.layer{flex:none;height:calc(var(--h)*1.9px)}
.head{grid-template-columns:minmax(0,1fr)}
.swatches{max-width:16rem}
.maps{grid-template-columns:minmax(0,1fr)}
.maps .facts{grid-row:auto;grid-column:1}
.gallery figure{grid-column:1/-1}
.hero{min-height:min(68vh,34rem)}
.figures{grid-template-columns:1fr 1fr}
table.stackable thead{display:none}
table.stackable tr{display:block;border-bottom:1px solid var(--line);padding:.6rem 0}
table.stackable td{display:block;border:0;padding:.05rem 0;text-align:left;white-space:normal}
table.stackable td.name,table.stackable td.n{display:inline-block;margin-right:.8rem}
table.stackable .track{margin:.35rem .4rem .5rem 0}
table.stackable td[data-l]::before{content:attr(data-l) " ";color:var(--soft)}
}
@media print{
:root{color-scheme:light;--bg:#fff;--raise:#fff;--line:#ccc;--text:#111;--soft:#444;--faint:#666;--accent:#8a4d00}
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}
body{font-size:10.5pt}
.hero{min-height:0;height:11cm}
.hero::after{background:linear-gradient(180deg,#0000 40%,#000c)}
.hero-text{color:#fff}
.brand{color:#ffd29a}
.page{display:block}
.stack{position:static;max-height:none;width:9cm;margin:0 auto 1cm}
article{break-before:page;padding-bottom:0}
article+article{border-top:0}
figure,tr,.facts{break-inside:avoid}
pre{background:#fff}
}
@media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}.layer img{transition:none}}
)css";
}

}  // namespace vf
