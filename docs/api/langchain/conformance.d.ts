// The public API of @repertoire/langchain/conformance (values: 1, types: 0). Written by "npm run api".

import { AdapterDriver } from '@repertoire/conformance'

// Values

export const langchainDriver: AdapterDriver;
