/** `node --import` this, and Node 20 loads the TypeScript of the rig and of the sources as it is. */
import { register } from 'node:module'

register('./typescript-hooks.mjs', import.meta.url)
