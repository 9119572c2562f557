/** File, id and variant of a case that was not run, because its last pass still holds, and when that was. */
export type CarriedOver = [file: string, id: string, variant: string, since: string]
