/** A list of 32-bit numbers that grows: a plain one takes twice the memory. */
export interface GrowingList {
  readonly push: (number: number) => void
  readonly length: () => number
  readonly numbers: () => Uint32Array
}

/** Creates an empty list. */
export function createGrowingList(): GrowingList {
  let room = new Uint32Array(1_024)
  let length = 0
  return {
    push(number) {
      if (length === room.length) {
        const grown = new Uint32Array(length * 2)
        grown.set(room)
        room = grown
      }
      room[length++] = number
    },
    length: () => length,
    numbers: () => room.subarray(0, length),
  }
}
