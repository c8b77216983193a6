import { describeConformance } from '@repertoire/conformance/vitest'
import { reactLoopDriver } from './conformance.ts'

describeConformance(reactLoopDriver)
