import { openModelEndpoint, type ScriptStep } from '@repertoire/conformance'
import { embedSkills } from '@repertoire/core/node'
import { build } from 'esbuild'
import { Miniflare } from 'miniflare'

/** What the scripted model does. */
const script: readonly ScriptStep[] = [
  { calls: [{ tool: 'activate_skill', input: { name: 'unit-prices' } }] },
  { calls: [{ tool: 'read_skill_resource', input: { path: 'references/currencies.md' } }] },
  { calls: [{ tool: 'Refund', input: { order: '7' } }] },
  { calls: [{ tool: 'Price', input: { product: 'tea' } }] },
  { text: 'Tea costs 12.50 euros, with VAT.' },
]

// 1. The skills become a module, and the Worker one file.
console.log('Embedded:', embedSkills({ from: 'skills', to: 'generated/skills.ts' }))
await build({
  entryPoints: ['worker.ts'],
  outfile: 'generated/worker.mjs',
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2024',
  conditions: ['workerd', 'worker', 'browser'],
})

// 2. A real model, or the scripted one.
const { OPENAI_BASE_URL, OPENAI_API_KEY, OPENAI_MODEL = 'gpt-5-mini' } = process.env
const isReal = OPENAI_BASE_URL !== undefined || OPENAI_API_KEY !== undefined
const endpoint = await openModelEndpoint()
const play = endpoint.play(script)
const bindings = isReal
  ? {
      OPENAI_BASE_URL: OPENAI_BASE_URL ?? 'https://api.openai.com/v1',
      OPENAI_API_KEY: OPENAI_API_KEY ?? 'none',
      OPENAI_MODEL,
    }
  : { OPENAI_BASE_URL: play.baseURL, OPENAI_API_KEY: play.apiKey, OPENAI_MODEL: play.model }

// 3. The runtime of Cloudflare Workers on this machine, and a request.
const runtime = new Miniflare({
  modules: true,
  scriptPath: 'generated/worker.mjs',
  compatibilityDate: '2026-07-01',
  bindings,
})
const response = await runtime.dispatchFetch('http://localhost/', { method: 'POST', body: 'What does tea cost?' })
const { text, results } = (await response.json()) as { text: string; results: readonly { content: string }[] }
for (const { content } of results) console.log('-', content.replaceAll(/\s+/g, ' ').slice(0, 160))
console.log(text)
await runtime.dispose()
await endpoint.close()
