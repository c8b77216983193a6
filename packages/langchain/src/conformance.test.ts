import { describeConformance } from '@repertoire/conformance/vitest'
import { langchainDriver } from './conformance.ts'

describeConformance(langchainDriver)
