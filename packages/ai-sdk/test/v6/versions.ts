import { readFileSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { wrapLanguageModel } from 'ai'

const { specificationVersion: provider } = wrapLanguageModel({
  model: createOpenAICompatible({ name: 'x', baseURL: 'http://127.0.0.1:9' })('m'),
  middleware: [],
})
const manifest = fileURLToPath(new URL('../package.json', import.meta.resolve('ai')))
const { version: ai } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }
process.stdout.write(JSON.stringify({ ai, provider }))
