/** Calls when an element's size changes, and when the page's colours do. Returns a function that ends it. */
export function onRedraw(
  element: Element,
  { resized, recoloured }: { readonly resized: () => void; readonly recoloured: () => void },
): () => void {
  const observer = new ResizeObserver(resized)
  observer.observe(element)
  const scheme = matchMedia('(prefers-color-scheme: dark)')
  scheme.addEventListener('change', recoloured)
  document.documentElement.addEventListener('themechange', recoloured)
  return () => {
    observer.disconnect()
    scheme.removeEventListener('change', recoloured)
    document.documentElement.removeEventListener('themechange', recoloured)
  }
}
