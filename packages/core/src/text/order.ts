/** Returns a comparison by a text of each item, in the order of its code units, which is the same everywhere. */
export function byText<Item>(textOf: (item: Item) => string): (a: Item, b: Item) => number {
  return (a, b) => (textOf(a) < textOf(b) ? -1 : Number(textOf(a) > textOf(b)))
}
