import { configureGlobal } from 'fast-check'

// The same examples in every run, so that a red build is red again when it is investigated. `PROPERTY_SEED=random` looks
// for new ones, and a number plays that run again.
const { PROPERTY_SEED: wanted = '20261121' } = process.env
if (wanted !== 'random') configureGlobal({ seed: Number(wanted) })
