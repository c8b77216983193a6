import { describeConformance } from '@repertoire/conformance/vitest'
import { mastraDriver } from '../src/conformance.ts'

describeConformance(mastraDriver)
