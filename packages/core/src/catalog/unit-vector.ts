/** Far more numbers than any model gives. */
const MAX_DIMENSION = 65_536

/**
 * Returns a vector of the same direction whose length is 1.
 * @param vector foreign: anything
 * @returns undefined if it is not a list of finite numbers that are not all 0
 */
export function unitVector(vector: unknown): Float32Array | undefined {
  if (typeof vector !== 'object' || vector === null || !('length' in vector)) return undefined
  const { length } = vector as ArrayLike<unknown>
  if (!Number.isSafeInteger(length) || length < 1 || length > MAX_DIMENSION) return undefined
  const numbers = new Float64Array(length)
  let largest = 0
  for (let index = 0; index < length; index++) {
    const number = (vector as ArrayLike<unknown>)[index]
    if (typeof number !== 'number' || !Number.isFinite(number)) return undefined
    numbers[index] = number
    largest = Math.max(largest, Math.abs(number))
  }
  if (largest === 0) return undefined
  // In parts of the largest first: the squares of very large and very small numbers are none.
  let sum = 0
  for (let index = 0; index < length; index++) sum += (numbers[index]! /= largest) ** 2
  const size = Math.sqrt(sum)
  return Float32Array.from(numbers, (number) => number / size)
}
