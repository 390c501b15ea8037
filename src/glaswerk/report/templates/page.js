(() => {
  "use strict";
  const text = (id) => document.getElementById(id).textContent;

  // Drawn one after another, so that the page stays responsive; the still picture goes when its drawing stands.
  const draw = async () => {
    for (const host of document.querySelectorAll("[data-figure]")) {
      const canvas = document.createElement("div");
      canvas.className = "canvas";
      host.append(canvas);
      try {
        await glaswerkFigures.draw(canvas, JSON.parse(text(host.dataset.figure)));
        host.querySelector("img").remove();
        host.dataset.drawn = "yes";
      } catch (error) {
        canvas.remove();
        host.dataset.drawn = "no";
        console.error(`figure ${host.dataset.figure}: ${error.message}`);
      }
    }
    document.documentElement.dataset.drawn = "all";
  };

  const save = (button) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text(button.dataset.save)], { type: "application/json" }));
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

  // Paper cannot be clicked: short tables are opened for it, and closed again.
  addEventListener("beforeprint", () => {
    for (const closed of document.querySelectorAll("details.printed:not([open])")) {
      closed.open = true;
      closed.dataset.forPrint = "yes";
    }
  });
  addEventListener("afterprint", () => {
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
