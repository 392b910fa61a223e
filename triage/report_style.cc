#include "triage/report_style.h"

namespace irate {

const char kReportStyle[] = R"css(
:root {
  color-scheme: light dark;
  --page: #f6f7f9; --card: #fff; --ink: #1b2430; --soft: #5b6675; --line: #dfe3e8;
  --code: #f3f5f8; --accent: #1f5fbf; --new: #b42318; --regressed: #8a1f8f; --known: #8a5a00;
  --muted: #5b6675; --fixed: #1a7a3a; --add: #dff5e3; --del: #fde3e1; --wrong: #f7b8b2;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #12161c; --card: #1a2029; --ink: #e4e9f0; --soft: #9aa6b5; --line: #2c3541;
    --code: #11161d; --accent: #7db0ff; --new: #ff8a80; --regressed: #e59aec; --known: #f0bd5e;
    --muted: #9aa6b5; --fixed: #6fd08c; --add: #143821; --del: #451d1b; --wrong: #7a2f29;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { max-width: 1180px; margin: 0 auto; padding: 24px 20px 64px; }
h1 { font-size: 24px; margin: 0 0 2px; }
h3 { font-size: 13px; margin: 20px 0 6px; color: var(--soft); font-weight: 600;
  text-transform: uppercase; letter-spacing: .04em; }
.soft { color: var(--soft); }
.tiles { display: flex; flex-wrap: wrap; gap: 10px; margin: 18px 0; }
.tile { background: var(--card); border: 1px solid var(--line); border-radius: 8px;
  padding: 8px 16px; min-width: 92px; }
.tile b { display: block; font-size: 22px; line-height: 1.2; }
.filters { display: flex; flex-wrap: wrap; gap: 8px; margin: 0 0 14px; }
.filters input, .filters select { font: inherit; color: inherit; background: var(--card);
  border: 1px solid var(--line); border-radius: 6px; padding: 6px 10px; }
.filters input { flex: 1 1 240px; min-width: 0; }
.row, .head { display: grid; gap: 12px; align-items: baseline;
  grid-template-columns: 88px minmax(0, 1fr) 70px 170px 64px; }
.head { padding: 0 16px 6px 34px; font-size: 12px; color: var(--soft); }
details.bug { background: var(--card); border: 1px solid var(--line); border-radius: 8px;
  margin: 0 0 8px; }
details.bug > summary { cursor: pointer; padding: 10px 16px; list-style: none; position: relative;
  padding-left: 34px; }
details.bug > summary::-webkit-details-marker { display: none; }
details.bug > summary::before { content: "\25B8"; position: absolute; left: 15px; color: var(--soft); }
details.bug[open] > summary::before { content: "\25BE"; }
details.bug > summary:focus-visible { outline: 2px solid var(--accent); border-radius: 8px; }
.num { text-align: right; font-variant-numeric: tabular-nums; }
.what { overflow-wrap: anywhere; }
.what small { display: block; color: var(--soft); }
.badge { font-size: 12px; font-weight: 600; border: 1px solid currentColor; border-radius: 99px;
  padding: 1px 9px; justify-self: start; }
.new { color: var(--new); } .regressed { color: var(--regressed); } .known { color: var(--known); }
.muted { color: var(--muted); } .fixed { color: var(--fixed); }
.body { padding: 0 16px 16px 34px; border-top: 1px solid var(--line); }
pre { background: var(--code); border: 1px solid var(--line); border-radius: 6px; margin: 0;
  padding: 10px 12px; overflow-x: auto; font: 12.5px/1.45 ui-monospace, Consolas, Menlo, monospace; }
code { font: 12.5px ui-monospace, Consolas, Menlo, monospace; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 3px 16px; margin: 14px 0 0; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
.chip { display: inline-block; border-radius: 5px; padding: 0 8px; margin: 0 6px 4px 0;
  border: 1px solid var(--line); }
.chip.bad { background: var(--del); } .chip.good { background: var(--add); }
.diff span { display: block; white-space: pre; min-width: max-content; padding: 0 12px; margin: 0 -12px; }
.diff .add { background: var(--add); } .diff .del { background: var(--del); }
.grid { border-collapse: collapse; font: 12px ui-monospace, monospace; }
.grid td { border: 1px solid var(--line); padding: 2px 7px; text-align: right; }
.grid td.wrong { background: var(--wrong); }
.grids { display: flex; flex-wrap: wrap; gap: 18px; overflow-x: auto; }
.inner > summary { cursor: pointer; color: var(--accent); margin: 14px 0 6px; }
.none { padding: 40px; text-align: center; color: var(--soft); background: var(--card);
  border: 1px dashed var(--line); border-radius: 8px; }
@media (max-width: 720px) {
  main { padding: 16px 12px 48px; }
  .head { display: none; }
  .row { grid-template-columns: auto auto 1fr; }
  .row .what { grid-column: 1 / -1; grid-row: 1; }
  .row .size { display: none; }
  .row .num { text-align: left; }
  .row .num::after { content: " times"; color: var(--soft); }
  .body { padding: 0 12px 14px; }
  dl { grid-template-columns: 1fr; gap: 0; } dd { margin: 0 0 8px; }
}
@media print {
  body { background: #fff; } .filters { display: none; }
  details.bug { break-inside: auto; } pre { white-space: pre-wrap; overflow-wrap: anywhere; }
}
)css";

const char kReportScript[] = R"js(
(function () {
  var text = document.getElementById('text'), state = document.getElementById('state');
  var bugs = Array.prototype.slice.call(document.querySelectorAll('details.bug'));
  var nothing = document.getElementById('nothing');
  function filter() {
    var words = text.value.toLowerCase().split(/\s+/), shown = 0;
    bugs.forEach(function (bug) {
      var hay = bug.dataset.text.toLowerCase();
      var fits = words.every(function (w) { return hay.indexOf(w) >= 0; }) &&
        (!state.value || state.value.split(' ').indexOf(bug.dataset.state) >= 0);
      bug.hidden = !fits;
      shown += fits ? 1 : 0;
    });
    nothing.hidden = shown > 0 || bugs.length === 0;
  }
  if (text) {
    text.addEventListener('input', filter);
    state.addEventListener('change', filter);
    document.querySelector('.filters').hidden = false;
  }
  function openTarget() {
    var target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target && target.tagName === 'DETAILS') { target.open = true; target.scrollIntoView(); }
  }
  window.addEventListener('hashchange', openTarget);
  window.addEventListener('beforeprint', function () {
    document.querySelectorAll('details').forEach(function (d) { d.open = true; });
  });
  openTarget();
})();
)js";

}  // namespace irate
