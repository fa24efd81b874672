#!/bin/bash
# Grades /app, where Harbor puts the artifacts, and writes /logs/verifier/reward.json and
# reward-details.json. Nothing is installed, and nothing is downloaded.
exec rewardkit "$(dirname "${BASH_SOURCE[0]}")" "$@"
