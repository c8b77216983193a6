import { describe, expect, it } from 'vitest'
import { median, steady, summarise } from '../src/statistics.ts'

describe('summarise', () => {
  it('[NFR-1] gives the middle of an odd number of samples, and the mean of the two middle ones of an even', () => {
    expect(summarise([9, 1, 5])).toEqual({ median: 5, least: 1, most: 9, samples: [9, 1, 5] })
    expect(median([9, 1, 5, 6])).toBe(5.5)
    expect(median([4])).toBe(4)
  })

  it('[NFR-1] steady is the median of the second half', () => {
    expect(steady([900, 800, 3, 5, 4])).toBe(4)
    expect(steady([7])).toBe(7)
  })

  it('[NFR-1] refuses to sum up nothing, and leaves the samples as they are', () => {
    expect(() => summarise([])).toThrow('There are no samples to sum up.')
    const samples = [3, 1, 2]
    summarise(samples)
    expect(samples).toEqual([3, 1, 2])
  })
})
