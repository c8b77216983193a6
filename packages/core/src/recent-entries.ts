/** A map that keeps the entries that were used last. */
export class RecentEntries<Key, Value extends {}> extends Map<Key, Value> {
  readonly #most: number
  readonly #sizeOf: (value: Value, key: Key) => number
  #total = 0

  /**
   * @param most the sizes of all entries together
   * @param sizeOf the size of an entry, always the same. Default 1: they are counted
   */
  constructor(most: number, sizeOf: (value: Value, key: Key) => number = () => 1) {
    super()
    this.#most = most
    this.#sizeOf = sizeOf
  }

  override get(key: Key): Value | undefined {
    const value = super.get(key)
    if (value === undefined) return undefined
    // A map is in the order in which its entries were added.
    super.delete(key)
    super.set(key, value)
    return value
  }

  override set(key: Key, value: Value): this {
    this.delete(key)
    super.set(key, value)
    this.#total += this.#sizeOf(value, key)
    for (const oldest of this.keys()) {
      if (this.#total <= this.#most) break
      this.delete(oldest)
    }
    return this
  }

  override delete(key: Key): boolean {
    const value = super.get(key)
    if (value !== undefined) this.#total -= this.#sizeOf(value, key)
    return super.delete(key)
  }
}
