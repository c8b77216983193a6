import { makeTree } from './src/generator.ts'
import { mkdirSync } from 'node:fs'
const { openRepertoire } = await import('@repertoire/core'); const { directorySource } = await import('@repertoire/core/node')
mkdirSync('/tmp/b/t', {recursive:true})
const root = makeTree('/tmp/b/t', 1000)
const ts=[]
for (let i=0;i<60;i++) { const t=performance.now(); await openRepertoire({ sources:[directorySource({ root, layer:'project'})], listing:{prepare:false} }); ts.push(performance.now()-t) }
ts.sort((a,b)=>a-b); console.log('min',ts[0].toFixed(1),'median',ts[30].toFixed(1))
