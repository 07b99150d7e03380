module skips

go 1.26
