import { describeConformance } from '@repertoire/conformance/vitest'
import { langchainDriver } from '../src/conformance.ts'

describeConformance(langchainDriver)
