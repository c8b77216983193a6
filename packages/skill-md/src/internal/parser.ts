/** The reader of manifests, apart from the other entry: the root of core does not need it at once. */
export { applyAgentFile } from '../agent-file.ts'
export { parseDocument, parseMetadata } from '../parser.ts'
export { readPlainYaml } from '../yaml/plain.ts'
