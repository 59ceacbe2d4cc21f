package main

import (
	_ "time/tzdata" // time zones of model files, on machines that have none
)
