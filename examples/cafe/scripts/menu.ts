// @ts-nocheck
import { Exception, FS, log, Process, Store, time } from '@yao/runtime'

function read(): { drink: string; price: number }[] {
  return JSON.parse(new FS('data').ReadFile('/menu.json'))
}

/** Tool `menu__list`. */
function List(args: object, ctx) {
  log.Info('%s asks for the menu (%d arguments)', ctx.authorized.user_id, Object.keys(args).length)
  return { drinks: read().map(({ drink }) => drink), message: 'We have latte, espresso and flat white.' }
}

/** Tool `menu__price`: called with the drink alone, and the ctx. */
function Price(drink: string, ctx) {
  const asked = new Store('prices')
  asked.Set(drink, (asked.Get(drink) ?? 0) + 1)
  const found = read().find((each) => each.drink === drink.toLowerCase())
  if (found === undefined) throw new Exception(`there is no ${drink} on the menu`, 404)
  time.Sleep(1)
  return { drink, price: found.price, asked: asked.Get(drink), for: ctx.assistant_id }
}

/** Resource `menu://drinks/{drink}`. */
function Drink(drink: string) {
  return read().find((each) => each.drink === drink) ?? null
}

/** A process of the engine, which tests stub. */
function Stock(drink: string) {
  return Process('models.stock.Find', drink)
}
