import { describe, expect, test } from 'vitest';
import type { Report } from '../../../server/store/reports.ts';
import { ADMINISTRATOR, addLink, inTurn, NOW, newLink, type OpenSubject } from '../contract.ts';

const report = (number: number): Report => ({
  reason: `Ä "reason"\n${number}`,
  contact: number % 2 === 0 ? 'ann@example.com' : '',
  time: NOW + number,
});

export function describeReports(name: string, open: OpenSubject): void {
  describe(`${name}: reports`, () => {
    test('are counted by link, and the last ten are kept, newest first', async () => {
      const { store, reopen } = await open();
      const link = await addLink(store, newLink('reported'));
      const numbers = Array.from({ length: 12 }, (_, index) => index);
      for (const number of numbers) {
        expect(await store.administration.addReport(link.id, report(number))).toBe(true);
      }
      const reports = numbers.slice(2).reverse().map(report);
      for await (const { administration } of inTurn(store, reopen)) {
        expect(await administration.listReports()).toEqual([
          { linkId: link.id, count: 12, reports },
        ]);
        expect(await administration.countReportedLinks()).toBe(1);
      }
    });

    test('none is lost when several come at once', async () => {
      const { store } = await open();
      const link = await addLink(store, newLink('reported'));
      await Promise.all(
        [1, 2, 3, 4, 5].map((number) => store.administration.addReport(link.id, report(number))),
      );
      expect(await store.administration.listReports()).toMatchObject([{ count: 5 }]);
    });

    test('are removed, and there are none of links that do not exist', async () => {
      const { store, reopen } = await open();
      const [one, other] = [
        await addLink(store, newLink('one')),
        await addLink(store, newLink('other')),
      ];
      const { administration } = store;
      expect(await administration.addReport('nothing', report(1))).toBe(false);
      await administration.addReport(one.id, report(1));
      await administration.addReport(other.id, report(2));
      expect(await administration.removeReports(one.id)).toBe(true);
      expect(await administration.removeReports(one.id)).toBe(false);
      expect(await administration.removeReports('nothing')).toBe(false);
      for await (const subject of inTurn(store, reopen)) {
        expect(await subject.administration.listReports()).toMatchObject([{ linkId: other.id }]);
      }
    });

    test('are gone with their link, and with its account', async () => {
      const { store, reopen, maintain } = await open();
      const one = await addLink(store, newLink('one'));
      await store.administration.addReport(one.id, report(1));
      await store.purgeLink({ linkId: one.id, accountId: one.accountId, by: ADMINISTRATOR });
      const other = await addLink(store, newLink('other'));
      await store.administration.addReport(other.id, report(2));
      await store.deleteAccount({ accountId: other.accountId, by: ADMINISTRATOR });
      for await (const subject of inTurn(store, maintain, reopen)) {
        expect(await subject.administration.listReports()).toEqual([]);
        expect(await subject.administration.countReportedLinks()).toBe(0);
      }
    });
  });
}
