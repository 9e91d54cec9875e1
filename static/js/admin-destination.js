"use strict";

/* In the admin one choice fills the fields that belong together: an airport in the field of a place stands for its
   city, and the field that "data-beside" names takes the other of the two; a typed place stays. */
document.addEventListener("destination-chosen", ({ target, detail: { text, place, airport } }) => {
  const field = target.querySelector("input");
  const beside = field.form.elements[target.dataset.beside];
  if (field.name === "place") {
    field.value = place ?? text;
    if (beside) beside.value = airport ?? "";
  } else if (beside) beside.value ||= place;
});
