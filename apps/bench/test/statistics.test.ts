import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { median, steady, summarise } from '../src/statistics.ts'

describe('summarise', () => {
  it('[NFR-1] gives the middle of an odd number of samples, and the mean of the two middle ones of an even', () => {
    expect(summarise([9, 1, 5])).toEqual({ median: 5, least: 1, most: 9, count: 3 })
    expect(median([9, 1, 5, 6])).toBe(5.5)
    expect(median([4])).toBe(4)
  })

  it('[NFR-1] has as many samples on either side of the median, in whatever order they came', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 1 }), (samples) => {
        const { median: middle, least, most, count } = summarise(samples)
        expect(summarise(samples.toReversed())).toEqual({ median: middle, least, most, count })
        expect(samples.filter((sample) => sample < middle).length).toBeLessThanOrEqual(count / 2)
        expect(samples.filter((sample) => sample > middle).length).toBeLessThanOrEqual(count / 2)
        expect([least, most]).toEqual([Math.min(...samples), Math.max(...samples)])
      }),
    )
  })

  it('[NFR-1] steady is the median of the second half', () => {
    expect(steady([900, 800, 3, 5, 4])).toBe(4)
    expect(steady([7])).toBe(7)
  })

  it('[NFR-1] refuses to sum up nothing, and leaves the samples as they are', () => {
    expect(() => summarise([])).toThrow(RangeError)
    const samples = [3, 1, 2]
    summarise(samples)
    expect(samples).toEqual([3, 1, 2])
  })
})
