import { ask } from './client.ts'
import { pageHtml } from './page-html.ts'
import { introduction } from './state.ts'

/** Saves this page with its logs as one file. Secrets and home folders are masked. */
export async function saveCopy(): Promise<void> {
  const logs = await ask('export')
  const page = pageHtml({
    style: textOf('style'),
    script: textOf('script[type="module"]'),
    policy: document.querySelector('meta[http-equiv="Content-Security-Policy"]')?.getAttribute('content') ?? '',
    logs,
    introduction: introduction.value && encodeURIComponent(JSON.stringify(introduction.value)).replaceAll("'", '%27'),
  })
  const address = URL.createObjectURL(new Blob([page], { type: 'text/html' }))
  const link = document.createElement('a')
  link.href = address
  link.download = 'inspector.html'
  link.click()
  URL.revokeObjectURL(address)
}

function textOf(selector: string): string {
  return document.querySelector(selector)?.textContent ?? ''
}
