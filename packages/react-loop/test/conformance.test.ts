import { describeConformance } from '@repertoire/conformance/vitest'
import { reactLoopDriver } from '../src/conformance.ts'

describeConformance(reactLoopDriver)
