// Builds the page into one HTML file: node build.ts
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin, type Rolldown } from 'vite'
import { pageHtml } from './src/page-html.ts'

const FOLDER = import.meta.dirname
const PAGE = join(FOLDER, 'dist/inspector.html')

/** What the page is built from. */
const SOURCES = [
  'apps/inspector/{build.ts,package.json,src/**}',
  'packages/{core,gate,skill-md}/src/**/*.ts',
  'pnpm-lock.yaml',
]

/** Builds the page, unless it was built from the same sources before. Returns its path. */
export async function buildPage(): Promise<string> {
  const stamp = join(FOLDER, 'dist/.sources')
  const sources = fingerprint()
  if (existsSync(PAGE) && existsSync(stamp) && readFileSync(stamp, 'utf8') === sources) return PAGE
  const worker = await bundle('src/worker.ts', [])
  const main = await bundle('src/main.tsx', [workerSource(worker.script)])
  const script = inScript(main.script)
  const style = main.style.trim()
  if (style.includes('</')) throw new Error('The style sheet would end its element.')
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    'worker-src blob:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types inspector',
  ].join('; ')
  mkdirSync(dirname(PAGE), { recursive: true })
  // In one step each: tests of several processes may build at the same time.
  replaceFile(PAGE, pageHtml({ style, script, policy, logs: [] }))
  replaceFile(stamp, sources)
  return PAGE
}

async function bundle(entry: string, plugins: Plugin[]): Promise<{ readonly script: string; readonly style: string }> {
  const result = await build({
    root: FOLDER,
    // Whatever the environment says: tests build the same page.
    mode: 'production',
    configFile: false,
    logLevel: 'warn',
    plugins,
    define: { 'process.env.NODE_ENV': '"production"' },
    resolve: { conditions: ['@repertoire/source', 'browser', 'import', 'default'] },
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
    build: {
      write: false,
      target: 'es2023',
      modulePreload: false,
      cssCodeSplit: false,
      minify: true,
      // As a library: Vite would add loading of further files to an application, and there are none.
      lib: {
        entry: join(FOLDER, entry),
        formats: ['iife'],
        name: 'inspector',
        fileName: 'inspector',
        cssFileName: 'inspector',
      },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  })
  const { output } = (Array.isArray(result) ? result[0] : result) as Rolldown.RolldownOutput
  const [script, ...others] = output.filter(({ type }) => type === 'chunk')
  if (script?.type !== 'chunk' || others.length > 0) throw new Error(`${entry} is not one file.`)
  const style = output.flatMap((file) =>
    file.type === 'asset' && file.fileName.endsWith('.css') ? [String(file.source)] : [],
  )
  return { script: script.code, style: style.join('\n') }
}

/** Lets the page start its worker from a text, so that one file is enough, and one hash covers both. */
function workerSource(script: string): Plugin {
  return {
    name: 'worker-source',
    resolveId: (id) => (id === 'virtual:worker' ? '\0worker' : null),
    load: (id) => (id === '\0worker' ? `export default ${JSON.stringify(script)}` : null),
  }
}

/** A script must not end its element, nor begin a comment. */
function inScript(script: string): string {
  return script.replaceAll(/<(?=\/script|!--|script)/gi, String.raw`\x3C`)
}

function replaceFile(path: string, text: string): void {
  const next = `${path}.${process.pid}`
  writeFileSync(next, text)
  renameSync(next, path)
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}

function fingerprint(): string {
  const root = join(FOLDER, '../..')
  const hash = createHash('sha256')
  for (const file of globSync(SOURCES, { cwd: root }).toSorted()) {
    if (file.endsWith('.test.ts') || !/\.\w+$/.test(file)) continue
    hash.update(`${file}\n`).update(readFileSync(join(root, file)))
  }
  return hash.digest('hex')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.stdout.write(`${await buildPage()}\n`)
