import { expect, test } from 'vitest'
import { createHashSlots, type Turn } from '../../src/crypto/password-hash/hash-slots.ts'

/** Slots whose tasks run until the test ends them, and a record of the order in which they began. */
function startSlots(options: { parallel: number; queue: number }) {
  const slots = createHashSlots(options)
  const begun: string[] = []
  const endings = new Map<string, (failure?: Error) => void>()

  const task = (name: string) =>
    new Promise<string>((resolve, reject) => {
      begun.push(name)
      endings.set(name, (failure) => (failure ? reject(failure) : resolve(name)))
    })

  return {
    begun,
    run: (name: string, turn?: Partial<Turn>) =>
      slots.run({ client: name, isLogin: true, ...turn }, () => task(name)),
    end: (name: string, failure?: Error) => endings.get(name)?.(failure),
  }
}

/** Waits until nothing more happens without the end of a task. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

test('no more tasks run at a time than there are slots, and the rest follow in order', async () => {
  const { begun, run, end } = startSlots({ parallel: 2, queue: 10 })
  const all = ['a', 'b', 'c', 'd', 'e'].map((name) => run(name))
  await settled()
  expect(begun).toEqual(['a', 'b'])

  end('b')
  await settled()
  expect(begun).toEqual(['a', 'b', 'c'])

  end('a')
  end('c')
  await settled()
  expect(begun).toEqual(['a', 'b', 'c', 'd', 'e'])

  end('e')
  end('d')
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd', 'e'])
})

test('a request to a full queue gets a 503 at once, and the queue continues', async () => {
  const { begun, run, end } = startSlots({ parallel: 1, queue: 1 })
  const first = run('first')
  const second = run('second')

  await expect(run('third')).rejects.toMatchObject({
    status: 503,
    body: { detail: { code: 'unavailable' } },
    headers: { 'Retry-After': '1' },
  })
  expect(begun).toEqual(['first'])

  end('first')
  await first
  await settled()
  const fourth = run('fourth')
  end('second')
  await second
  await settled()
  end('fourth')

  expect(await fourth).toBe('fourth')
  expect(begun).toEqual(['first', 'second', 'fourth'])
})

test('a task that fails frees its slot', async () => {
  const { run, end } = startSlots({ parallel: 1, queue: 1 })
  for (const name of ['a', 'b', 'c']) {
    const failing = run(name)
    await settled()
    end(name, new Error('broken'))
    await expect(failing).rejects.toThrow('broken')
  }
  const next = run('next')
  await settled()
  end('next')

  expect(await next).toBe('next')
})

test('a task that throws before it begins frees its slot', async () => {
  const slots = createHashSlots({ parallel: 1, queue: 0 })
  const broken = slots.run({ client: 'a' }, () => {
    throw new Error('broken')
  })
  await expect(broken).rejects.toThrow('broken')

  expect(await slots.run({ client: 'a' }, async () => 'next')).toBe('next')
})

test('nobody overtakes: a slot that falls free goes to the first in line', async () => {
  const { begun, run, end } = startSlots({ parallel: 1, queue: 2 })
  const first = run('first')
  const waiting = run('waiting')
  await settled()

  // The new task asks exactly when the slot becomes free.
  end('first')
  const newcomer = first.then(() => run('newcomer'))
  await settled()
  expect(begun).toEqual(['first', 'waiting'])

  end('waiting')
  await settled()
  end('newcomer')
  expect(await Promise.all([waiting, newcomer])).toEqual(['waiting', 'newcomer'])
})
