import { describeConformance } from '@repertoire/conformance/vitest'
import process from 'node:process'
import { mastraDriver } from '../src/conformance.ts'

// Where people wait for the tests, each check runs in one variant, by turns; in CI, in every variant.
describeConformance(mastraDriver, { variants: process.env['CI'] === undefined ? 'by-turns' : 'all' })
