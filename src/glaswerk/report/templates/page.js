(() => {
  "use strict";
  const text = (id) => document.getElementById(id).textContent;

  // Specifications come packed (report/packing.py): {"$": n} is a part of the pool, {"$rows": …} are rows by columns.
  const unpack = (node, pool) => {
    if (Array.isArray(node)) return node.map((item) => unpack(item, pool));
    if (node === null || typeof node !== "object") return node;
    if ("$" in node) return unpack(pool[node.$], pool);
    const parts = Object.entries(node.$rows ?? node).map(([key, item]) => [key, unpack(item, pool)]);
    if (!("$rows" in node)) return Object.fromEntries(parts);
    return parts[0][1].map((_, row) => Object.fromEntries(parts.map(([key, cells]) => [key, cells[row]])));
  };

  const frame = (host) => {
    const { pool, frames, first } = JSON.parse(text(host.dataset.figure));
    return unpack(frames[host.dataset.place ?? first ?? 0], pool);
  };

  const views = new Map();  // what is drawn where a slider may move

  // The new picture is drawn out of sight, so that nothing jumps; if the slider has moved on meanwhile, it is dropped.
  const swap = async (host, place) => {
    host.dataset.place = place;
    const { spec, alt, note } = frame(host);
    const old = host.querySelector(".canvas");
    const canvas = document.createElement("div");
    canvas.className = "canvas coming";
    host.append(canvas);
    const view = await glaswerkFigures.draw(canvas, spec);
    if (host.dataset.place !== String(place)) {
      view.finalize();
      canvas.remove();
      return;
    }
    views.get(host)?.finalize();
    views.set(host, view);
    old?.remove();
    canvas.className = "canvas";
    host.setAttribute("aria-label", alt);
    host.parentElement.querySelector(".alt").textContent = note;
  };

  const move = (block) => {
    const { places, says } = JSON.parse(text(block.dataset.says));
    let place = 0;
    block.querySelectorAll("input[type=range]").forEach((slider, k) => {
      const words = places[k][slider.value];
      slider.setAttribute("aria-valuetext", words);
      slider.parentElement.querySelector("output").textContent = words;
      place = place * places[k].length + Number(slider.value);
    });
    block.querySelector(".says").textContent = says[place];
    for (const host of block.querySelectorAll("[data-places]")) swap(host, place);
  };

  // Drawn one after another, so that the page stays responsive; the still picture goes when its drawing stands.
  const draw = async () => {
    for (const host of document.querySelectorAll("[data-figure]")) {
      const canvas = document.createElement("div");
      canvas.className = "canvas";
      host.append(canvas);
      try {
        const view = await glaswerkFigures.draw(canvas, frame(host).spec);
        host.querySelector("img").remove();
        host.dataset.drawn = "yes";
        if (host.dataset.places) views.set(host, view);
      } catch (error) {
        canvas.remove();
        host.dataset.drawn = "no";
        console.error(`figure ${host.dataset.figure}: ${error.message}`);
      }
    }
    for (const slider of document.querySelectorAll(".slider input")) slider.hidden = false;
    document.documentElement.dataset.drawn = "all";
  };

  const save = (button) => {
    const link = document.createElement("a");
    const host = document.querySelector(`[data-figure="${button.dataset.save}"]`);
    const json = host ? JSON.stringify(frame(host).spec, null, 1) : text(button.dataset.save);
    link.href = URL.createObjectURL(new Blob([json], { type: "application/json" }));
    link.download = button.dataset.name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };

  const copy = (button) => {
    const selection = getSelection();
    selection.selectAllChildren(button.parentElement.querySelector("code"));
    const done = document.execCommand("copy");
    selection.removeAllRanges();
    button.textContent = done ? "Copied" : "Select and copy";
  };

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button?.dataset.save) save(button);
    else if (button && "copy" in button.dataset) copy(button);
  });

  document.addEventListener("input", (event) => {
    const block = event.target.closest("[data-says]");
    if (block) move(block);
  });

  // Paper is narrower than most screens: figures are drawn anew at its width, so that their words keep their size.
  // It cannot be clicked either: short tables are opened for it, and closed again.
  addEventListener("beforeprint", () => {
    document.documentElement.classList.add("printing");
    dispatchEvent(new Event("resize"));
    for (const closed of document.querySelectorAll("details.printed:not([open])")) {
      closed.open = true;
      closed.dataset.forPrint = "yes";
    }
  });
  addEventListener("afterprint", () => {
    document.documentElement.classList.remove("printing");
    dispatchEvent(new Event("resize"));
    for (const opened of document.querySelectorAll("details[data-for-print]")) {
      opened.open = false;
      delete opened.dataset.forPrint;
    }
  });

  const here = new Map();
  for (const link of document.querySelectorAll("nav.contents a")) here.set(link.hash.slice(1), link);
  const watcher = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      for (const link of here.values()) link.removeAttribute("aria-current");
      here.get(entry.target.id).setAttribute("aria-current", "location");
    }
  }, { rootMargin: "-10% 0px -80% 0px" });
  for (const section of document.querySelectorAll("main > section")) watcher.observe(section);

  draw();
})();
