import { describeConformance } from '@repertoire/conformance/vitest'
import { openaiAgentsDriver } from '../src/conformance.ts'

describeConformance(openaiAgentsDriver)
