// Elements of the page.

/** @param {string} id @returns {any} an element of this page: which one, the page says */
export const by = (id) => document.getElementById(id);

/** An element. Texts become text, never markup. @param {string} name @param {Record<string, unknown>} props @param {...(Node | string)} children */
export function make(name, props, ...children) {
  const element = document.createElement(name);
  for (const [prop, value] of Object.entries(props))
    if (prop in element) Object.assign(element, { [prop]: value });
    else
      element.setAttribute(
        prop.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
        String(value),
      );
  element.append(...children);
  return element;
}
