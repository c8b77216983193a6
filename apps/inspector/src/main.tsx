// First: it takes the key out of the address before anything reads that.
import './key.ts'
import { render } from 'preact'
import { App } from './app.tsx'
import { load } from './load.ts'
import { start } from './state.ts'
import './style.css'

start()
render(<App />, document.getElementById('app')!)
void load()
