import { configureGlobal } from 'fast-check'

// The same examples in every run, so that a red build is red again when it is investigated. `PROPERTY_SEED=random`
// looks for new ones, and a number plays that run again.
const { PROPERTY_SEED: wanted = '20261121', CI } = process.env
configureGlobal({
  ...(wanted !== 'random' && { seed: Number(wanted) }),
  // A quarter of what a property has by default where people wait for the tests, as `runs` gives of a larger number.
  ...(CI === undefined && { numRuns: 25 }),
})
