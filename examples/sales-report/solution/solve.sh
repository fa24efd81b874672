#!/bin/bash
set -euo pipefail
cd "${WORKSPACE:-/app}"
{
  echo "region,total"
  tail -n +2 sales.csv | awk -F, '{ sum[$1] += $3 } END { for (r in sum) printf "%s,%.2f\n", r, sum[r] }' | sort
} >totals.csv
top=$(tail -n +2 totals.csv | sort -t, -k2 -rn | head -1)
echo "The ${top%,*} sells most: ${top#*,} euros." >summary.md
