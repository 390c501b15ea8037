// glaswerkFigures.draw(element, spec, alt): a figure as SVG in a page, as wide as its element; alt is read out instead.
// vegaEmbed comes from the bundle around this file.

const look = "the look of the house";

// Data are inline: whatever asks for an address is refused.
function refused(what) {
  return Promise.reject(new Error("figures load nothing: " + String(what).slice(0, 80)));
}

const closed = { load: refused, sanitize: refused, http: refused, file: refused };

let bubble = null;

// What stands in a tooltip is the user's: it is set as text and never as markup.
function showTip(handler, event, item, value) {
  if (value === null || value === undefined || value === "") {
    if (bubble) bubble.style.display = "none";
    return;
  }
  if (!bubble || !bubble.isConnected) {
    bubble = document.createElement("div");
    bubble.setAttribute("aria-hidden", "true");
    bubble.className = "glaswerk-tip";
    Object.assign(bubble.style, {
      position: "fixed", zIndex: "1000", maxWidth: "280px", padding: "5px 9px", borderRadius: "5px",
      background: "#1f2328", color: "white", font: "12px/1.4 system-ui, sans-serif", whiteSpace: "pre-line",
      overflowWrap: "anywhere", pointerEvents: "none", fontVariantNumeric: "tabular-nums",
    });
    document.body.appendChild(bubble);
  }
  bubble.textContent = String(value);
  bubble.style.display = "block";
  const box = bubble.getBoundingClientRect();
  const page = document.documentElement;
  const left = Math.min(event.clientX + 14, page.clientWidth - box.width - 6);
  const above = event.clientY - box.height - 10;
  bubble.style.left = Math.max(6, left) + "px";
  bubble.style.top = (above > 4 ? above : event.clientY + 16) + "px";
}

// Vega listens to the window alone; an element also changes its width when a panel opens. One event serves all figures,
// and none is needed where the window itself has changed.
let viewport = window.innerWidth;
let waiting = false;

function tellWidth() {
  waiting = false;
  if (window.innerWidth === viewport) window.dispatchEvent(new Event("resize"));
  viewport = window.innerWidth;
}

function followWidth(element) {
  if (typeof ResizeObserver === "undefined") return;
  let width = element.clientWidth;
  new ResizeObserver(function () {
    if (element.clientWidth === width || element.clientWidth === 0) return;
    width = element.clientWidth;
    if (!waiting) requestAnimationFrame(tellWidth);
    waiting = true;
  }).observe(element);
}

async function draw(element, spec, alt) {
  const options = {
    mode: "marks" in spec ? "vega" : "vega-lite",
    renderer: "svg",
    ast: true,
    actions: false,
    defaultStyle: false,
    hover: false,
    config: look,
    loader: closed,
    tooltip: showTip,
  };
  const result = await vegaEmbed(element, spec, options);
  if (alt) {
    element.setAttribute("role", "img");
    element.setAttribute("aria-label", alt);
  }
  if (spec.width === "container") followWidth(element);
  return result.view;
}

window.glaswerkFigures = Object.freeze({ draw: draw });
