import { renderMarkdown, unexpected } from '@repertoire/conformance'
import { runHostProfile } from '@repertoire/conformance/host'
import { myHost } from './host-example.ts'

const report = await runHostProfile({ hosts: [myHost] })
console.log(renderMarkdown(report))
process.exitCode = unexpected(report).length > 0 ? 1 : 0
