// Keeps the names of the lanes in sight on a narrow screen, where the picture begins at its right end.
for (const box of document.querySelectorAll(".wide")) {
  const svg = box.querySelector("svg"), names = svg.querySelector(".names");
  const stick = () => {
    const hidden = box.scrollWidth - box.clientWidth + box.scrollLeft;
    names.setAttribute("transform", `translate(${hidden * svg.viewBox.baseVal.width / svg.getBoundingClientRect().width})`);
  };
  box.addEventListener("scroll", stick);
  addEventListener("resize", stick);
  stick();
}
