// The table: its shape, and every sum.

import * as rk from "@rewardkit/cli";

/** Summed by hand; the agent's container never has these. */
const TOTALS = { east: 31, north: 42.5, south: 51.35, west: 21.8 };

rk.criterion(
  { description: "totals.csv has the header and the regions, in order", read: ["totals.csv"] },
  async function shape(workspace) {
    const rows = (await workspace.readText("totals.csv")).trimEnd().split("\n");
    const [header, ...regions] = rows.map((row) => row.split(",")[0]);
    return header === "region" && regions.join() === Object.keys(TOTALS).join();
  },
);

for (const [index, [region, total]] of Object.entries(TOTALS).entries()) {
  rk.csvCellEquals("totals.csv", index, "total", total, {
    tolerance: 0.005,
    name: `total of ${region}`,
  });
}
