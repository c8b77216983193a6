// usage: node scan.mjs PKGCORE FOLDER
const core = process.argv[2]
const { openRepertoire } = await import(core + '/src/index.ts')
const { directorySource } = await import(core + '/src/node/index.ts')
await openRepertoire({ sources: [directorySource({ root: '/tmp/sa-bench/one' })], listing: { prepare: false } })
const t0 = performance.now()
const r = await openRepertoire({ sources: [directorySource({ root: process.argv[3] })], listing: { prepare: false } })
const t1 = performance.now()
for (let i = 0; i < 3; i++) await r.reload({ force: true })
const t2 = performance.now()
for (let i = 0; i < 5; i++) await r.reload({ force: true })
const t3 = performance.now()
console.log(JSON.stringify([t1 - t0, (t3 - t2) / 5, r.catalog.list().length]))
