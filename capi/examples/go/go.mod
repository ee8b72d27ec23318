module example.org/research

go 1.20
