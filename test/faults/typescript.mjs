/** With `node --import`, this lets Node 20 load the TypeScript of the rig and the sources. */
import { register } from 'node:module'

register('./typescript-hooks.mjs', import.meta.url)
