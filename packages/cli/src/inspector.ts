/**
 * What the demo in this repository shows its runs with. It is not an entry of the published package.
 */
export { inspectorPage, type PageIntroduction, pageWithLogs } from './inspector/page.ts'
export { openInspector } from './inspector/server.ts'
